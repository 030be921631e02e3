import Type from 'typebox';
import { type FieldError, invalidFields } from '#foundation/lib/refusals.ts';
import { type ReadCertificate, readClientCertificate } from '#foundation/outbound/client-certificate.ts';
import { masked } from '#foundation/records/mask.ts';

/** The certificate and key by which a connector can tell that Corridor is calling (connectors.md §1.6). */
export const CERTIFICATE_FIELDS = {
  certificate: Type.Optional(
    masked(
      'none',
      Type.String({
        minLength: 1,
        maxLength: 50_000,
        description: 'A client certificate in PEM, with those that signed it below it.',
      }),
    ),
  ),
  // A field of this name is shown to nobody.
  privateKey: Type.Optional(
    masked(
      'text',
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        description: 'Its private key in PEM, without a passphrase. It is stored sealed, and never shown.',
      }),
    ),
  ),
  withoutCertificate: Type.Optional(
    masked('none', Type.Boolean({ description: 'Show no client certificate any more.', default: false })),
  ),
};

interface Given {
  readonly certificate?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly withoutCertificate?: boolean | undefined;
}

/** Undefined: nothing was given. Null: the certificate is taken away. */
export function readGivenCertificate(
  { certificate, privateKey, withoutCertificate = false }: Given,
  { isAlone, now }: { readonly isAlone: boolean; readonly now: Date },
): ReadCertificate | null | undefined {
  const isGiven = certificate !== undefined || privateKey !== undefined;
  if (withoutCertificate && isGiven)
    refuseFields([{ field: 'withoutCertificate', message: 'cannot be given together with a certificate' }]);
  if (withoutCertificate) return null;
  if (!isGiven) {
    if (isAlone) refuseFields([{ field: 'url', message: 'must be given, or a certificate with its key' }]);
    return undefined;
  }
  if (certificate === undefined || privateKey === undefined) {
    const field = certificate === undefined ? 'certificate' : 'privateKey';
    return refuseFields([{ field, message: 'must be given, because the other part is' }]);
  }
  const read = readClientCertificate({ certificate, privateKey }, now);
  return 'until' in read ? read : refuseFields(read);
}

function refuseFields(errors: readonly FieldError[]): never {
  throw invalidFields(errors);
}

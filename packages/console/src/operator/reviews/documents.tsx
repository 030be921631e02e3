import { useState } from 'preact/hooks';
import { addressOf, saveFile } from '../../api/operator/file.ts';
import { useMutation } from '../../api/query.ts';
import { Facts, Section } from '../../ui/layout.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { sayName, Text } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import type { DocumentFile } from './packet.ts';

/** The documents beside the data: pictures as pictures, every other file as a download. */
export function Documents({ documents }: { documents: readonly DocumentFile[] }) {
  return (
    <Section title="Documents" hint="It is recorded who opened which document.">
      {documents.length === 0 && <Empty title="No document was submitted." />}
      {documents.map((document) => (
        <article key={document.id} class="card reviews-document" aria-label={titleOf(document)}>
          <h3>{titleOf(document)}</h3>
          <Picture document={document} />
          <Facts
            facts={{
              Number: document.documentNumber && <Text>{document.documentNumber}</Text>,
              Country: document.country,
              'Issued by': document.issuingAuthority && <Text>{document.issuingAuthority}</Text>,
              File: <Text>{document.fileName}</Text>,
              Uploaded: <Time at={document.uploadedAt} />,
            }}
          />
        </article>
      ))}
    </Section>
  );
}

function titleOf({ documentType, side, documentHolder }: DocumentFile): string {
  const parts = [sayName(documentType), side && sayName(side).toLowerCase()].filter(Boolean).join(', ');
  return documentHolder.startsWith('BeneficialOwner:') ? `${parts}, of an owner` : parts;
}

/** The service calls a file a picture only if its first bytes are those of one; a browser shows no other file as an image. */
function Picture({ document }: { document: DocumentFile }) {
  const [isPicture, setPicture] = useState(true);
  const saving = useMutation(() => saveFile('downloadDocument', [document.id]));
  return (
    <>
      {isPicture && (
        <img
          class="reviews-picture"
          src={addressOf('downloadDocument', [document.id])}
          alt={`${titleOf(document)}, as it was submitted`}
          onError={() => setPicture(false)}
        />
      )}
      {!isPicture && <p class="soft">This file is no picture. Save it to look at it.</p>}
      <button type="button" aria-disabled={saving.isRunning} onClick={() => saving.run(undefined)}>
        Save the file
      </button>
      {saving.failure && <Failed what="The file was not saved." failure={saving.failure} />}
    </>
  );
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wireNames } from '#foundation/lib/wire-names.ts';

describe('the name on the wire', () => {
  const grid = wireNames('Grid');

  it('platform.md §1.2.7: by default every name contains the neutral word', () => {
    const names = wireNames('Svc');
    assert.deepEqual(
      [names.basePath, names.signatureHeader, names.signatureKeyIdHeader, names.walletSignatureHeader],
      ['/svc/2025-10-13', 'X-Svc-Signature', 'X-Svc-Signature-Key-Id', 'Svc-Wallet-Signature'],
    );
    const json = '{"code":"SVC_SWITCH_ERROR"}';
    assert.equal(names.outgoing(json), json);
    assert.equal(names.incoming(json), json);
  });

  it('platform.md §1.2.7: another name replaces it in headers, path, codes, values and field names', () => {
    assert.deepEqual(
      [grid.basePath, grid.signatureHeader, grid.walletSignatureHeader, grid.referencePrefix],
      ['/grid/2025-10-13', 'X-Grid-Signature', 'Grid-Wallet-Signature', 'GRID-'],
    );
    const neutral = '{"svcApiFixedFee":1,"type":"SVC_INTERNAL_ACCOUNT","code":"SVC_SWITCH_ERROR"}';
    const named = '{"gridApiFixedFee":1,"type":"GRID_INTERNAL_ACCOUNT","code":"GRID_SWITCH_ERROR"}';
    assert.equal(grid.outgoing(neutral), named);
    assert.equal(grid.incoming(named), neutral);
  });

  it('platform.md §1.2.7: the names and values of a query are translated too', () => {
    assert.equal(
      grid.incomingQuery('gridOperationsStatus=ENABLED&reason=CLOSED_BY_GRID&q=gridOperationsStatusX&a'),
      'svcOperationsStatus=ENABLED&reason=CLOSED_BY_SVC&q=gridOperationsStatusX&a',
    );
    assert.equal(wireNames('Svc').incomingQuery('gridOperationsStatus=1'), 'gridOperationsStatus=1');
  });

  it('platform.md §1.2.7: prose that quotes a code shows the code that the client sees', () => {
    assert.equal(
      grid.outgoing('"`SVC_SWITCH_ERROR`, `INTERNAL_ERROR`"'),
      '"`GRID_SWITCH_ERROR`, `INTERNAL_ERROR`"',
    );
  });

  it('platform.md §1.2.7: text that merely contains a name is not changed', () => {
    const json = '{"note":"SVC_SWITCH_ERROR again","quoted":"say \\"SVC_SWITCH_ERROR\\"","svc":"Svc"}';
    assert.equal(grid.outgoing(json), json);
  });
});

// lane: waits — belongs to the drill of failovers

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { ownPort } from '#tests/drills/failover/own-port.ts';

describe('ports of a drill', () => {
  it('are below those that the system chooses, and different', async () => {
    const ports = [await ownPort(), await ownPort(), await ownPort()];
    assert.equal(new Set(ports).size, ports.length);
    for (const port of ports) assert.ok(port >= 20_000 && port < 30_000, String(port));
  });

  it('leave out a port that is taken, or that was given before', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const range = { first: port, last: port };
    const message = `no port from ${port} to ${port} is free`;
    await assert.rejects(ownPort(range), { message });
    taken.close();
    await once(taken, 'close');
    assert.equal(await ownPort(range), port);
    await assert.rejects(ownPort(range), { message });
  });
});

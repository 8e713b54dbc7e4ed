import { test } from 'node:test';
import { holdConnections, runOutOfFiles } from './connections.ts';

test('10,000 visitors are connected, one more is refused for 30 s, and messages are sent as before', {
  timeout: 180_000,
}, async (t) => {
  t.diagnostic(JSON.stringify(await holdConnections(t, 5_000, true)));
});

test('a program without free file descriptors closes new connections, loses nothing, and continues by itself', {
  skip: process.platform !== 'linux' && 'needs prlimit',
  timeout: 180_000,
}, async (t) => {
  t.diagnostic(JSON.stringify(await runOutOfFiles(t, 400)));
});

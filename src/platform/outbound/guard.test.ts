import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createGuard, OutboundRefused } from './guard.ts';
import type { Address } from './lookup.ts';

const v4 = (address: string): Address => ({ address, family: 4 });
const v6 = (address: string): Address => ({ address, family: 6 });
const guard = (allow: string[] = [], ...answer: Address[]) => createGuard(allow, async () => answer);

const refusedUp = [
  ['another scheme', 'ftp://example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/plain,hello'],
  ['no scheme', 'example.com/hook'],
  ['no host', 'http://'],
  ['nothing', ''],
  ['a user name', 'http://root@example.com/'],
  ['a password', 'http://:secret@example.com/'],
  ['a host dressed as a user name', 'http://example.com@127.0.0.1/'],
  ['loopback', 'http://127.0.0.1/'],
  ['the far end of loopback', 'http://127.255.255.254/'],
  ['loopback in short', 'http://127.1/'],
  ['loopback in decimal', 'http://2130706433/'],
  ['loopback in hex', 'http://0x7f000001/'],
  ['loopback in dotted hex', 'http://0x7f.0x0.0x0.0x1/'],
  ['loopback in octal', 'http://0177.0.0.01/'],
  ['loopback in percent code', 'http://%31%32%37.0.0.1/'],
  ['loopback in full-width digits', 'http://１２７.０.０.１/'],
  ['loopback in circled digits', 'http://①②⑦.⓪.⓪.①/'],
  ['loopback with ideographic dots', 'http://127。0。0。1/'],
  ['loopback with a dot behind', 'http://127.0.0.1./'],
  ['loopback behind a backslash', 'http:\\\\127.0.0.1\\'],
  ['loopback with white space in it', 'http://127.0.\n0.1/'],
  ['the unspecified address', 'http://0.0.0.0/'],
  ['zero', 'http://0/'],
  ['this network', 'http://0.1.2.3/'],
  ['private 10', 'http://10.1.2.3/'],
  ['private 172', 'http://172.31.255.255/'],
  ['private 192', 'http://192.168.0.1/'],
  ['shared address space', 'http://100.100.100.200/'],
  ['cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['cloud metadata in decimal', 'http://2852039166/'],
  ['the Azure host', 'http://168.63.129.16/'],
  ['protocol assignments', 'http://192.0.0.192/'],
  ['documentation', 'http://192.0.2.1/'],
  ['benchmarking', 'http://198.18.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['reserved', 'http://240.0.0.1/'],
  ['broadcast', 'http://255.255.255.255/'],
  ['loopback 6', 'http://[::1]/'],
  ['loopback 6 in full', 'http://[0:0:0:0:0:0:0:1]/'],
  ['the unspecified address 6', 'http://[::]/'],
  ['mapped loopback', 'http://[::ffff:127.0.0.1]/'],
  ['mapped loopback in hex', 'http://[::ffff:7f00:1]/'],
  ['mapped public', 'http://[::ffff:8.8.8.8]/'],
  ['compatible loopback', 'http://[::127.0.0.1]/'],
  ['translated loopback', 'http://[::ffff:0:127.0.0.1]/'],
  ['NAT64', 'http://[64:ff9b::127.0.0.1]/'],
  ['local NAT64', 'http://[64:ff9b:1::10.0.0.1]/'],
  ['6to4', 'http://[2002:7f00:1::]/'],
  ['Teredo', 'http://[2001:0:7f00:1::1]/'],
  ['unique local', 'http://[fd00:ec2::254]/'],
  ['link local', 'http://[fe80::1]/'],
  ['link local with a zone', 'http://[fe80::1%25eth0]/'],
  ['site local', 'http://[fec0::1]/'],
  ['multicast 6', 'http://[ff02::1]/'],
  ['documentation 6', 'http://[2001:db8::1]/'],
  ['unassigned 6', 'http://[4000::1]/'],
  ['localhost', 'http://localhost:8080/'],
  ['LOCALHOST', 'http://LOCALHOST/'],
  ['localhost with a dot behind', 'http://localhost./'],
  ['a name below localhost', 'http://db.localhost/'],
  ['the port of mail', 'http://8.8.8.8:25/'],
  ['port zero', 'http://8.8.8.8:0/'],
  ['a port out of range', 'http://8.8.8.8:65536/'],
] as const;

for (const [what, url] of refusedUp) {
  test(`an address is refused up front: ${what}`, () => {
    assert.throws(() => guard().admit(url), OutboundRefused);
  });
}

const admitted = [
  ['a name', 'https://example.com/hook?x=1', 'https://example.com/hook?x=1'],
  ['a name in another script', 'https://пример.испытание/', 'https://xn--e1afmkfd.xn--80akhbyknj4f/'],
  ['a public address', 'http://8.8.8.8/', 'http://8.8.8.8/'],
  ['a public address 6', 'http://[2606:4700::1111]/', 'http://[2606:4700::1111]/'],
  ['a high port', 'http://8.8.8.8:8443/', 'http://8.8.8.8:8443/'],
] as const;

for (const [what, url, read] of admitted) {
  test(`an address is admitted: ${what}`, () => {
    assert.equal(guard().admit(url).href, read);
  });
}

test('no spelling of a private IPv4 address is admitted', () => {
  const privateIp = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), byte(), byte(), byte()),
    fc.tuple(fc.constant(192), fc.constant(168), byte(), byte()),
    fc.tuple(fc.constant(169), fc.constant(254), byte(), byte()),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte(), byte()),
  );
  const spelling = fc.record({
    parts: fc.integer({ min: 1, max: 4 }),
    bases: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    dot: fc.constantFrom('', '.'),
  });
  fc.assert(
    fc.property(privateIp, spelling, (octets, { parts, bases, dot }) => {
      const url = `http://${spell(octets, parts, bases)}${dot}/`;
      assert.throws(() => guard().admit(url), OutboundRefused, url);
    }),
  );
});

const byte = () => fc.integer({ min: 0, max: 255 });

/** Writes an address the old way: the last part holds all remaining octets. */
function spell(octets: number[], parts: number, bases: number[]): string {
  const head = octets.slice(0, parts - 1);
  const rest = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
  return [...head, rest].map((part, index) => inBase(part, bases[index] ?? 10)).join('.');
}

function inBase(value: number, base: number): string {
  const prefix = base === 16 ? '0x' : base === 8 ? '0' : '';
  return prefix + value.toString(base);
}

test('a name is connected to at its public addresses only', async () => {
  const answers = guard([], v4('10.0.0.1'), v4('8.8.8.8'), v6('::ffff:8.8.4.4'), v6('2606:4700::1111'));
  assert.deepEqual(await answers.resolve('example.com', 443), [v4('8.8.8.8'), v6('2606:4700::1111')]);
});

test('a name with private addresses alone, or none, is refused without revealing them', async () => {
  for (const answers of [[v4('10.20.30.40')], [v6('fd00::1'), v6('::1')], []]) {
    await assert.rejects(guard([], ...answers).resolve('intranet.example', 443), (error) => {
      assert(error instanceof OutboundRefused);
      assert.equal(error.message, 'The host intranet.example is not on the public internet.');
      return true;
    });
  }
});

test('a name is refused at the port of another protocol', async () => {
  await assert.rejects(guard([], v4('8.8.8.8')).resolve('example.com', 25), OutboundRefused);
});

test('other protocols reach public hosts at the ports of mail only', async () => {
  const answers = guard([], v4('10.0.0.1'), v4('8.8.8.8'));
  for (const port of [25, 143, 465, 587, 993, 2525]) {
    assert.deepEqual(await answers.resolveFor('mail.example', port), [v4('8.8.8.8')]);
    assert.deepEqual(await answers.resolveFor('[2606:4700::1111]', port), [v6('2606:4700::1111')]);
  }
  for (const [host, port] of [
    ['mail.example', 22],
    ['8.8.8.8', 110],
    ['127.0.0.1', 25],
    ['169.254.169.254', 587],
    ['localhost', 2525],
  ] as const) {
    await assert.rejects(answers.resolveFor(host, port), OutboundRefused, host);
  }
  assert.deepEqual(await guard(['127.0.0.1']).resolveFor('127.0.0.1', 25), [v4('127.0.0.1')]);
});

test('localhost is resolved without a query, and only to loopback', async () => {
  const asked = createGuard(['127.0.0.1'], async () => assert.fail('asked'));
  assert.deepEqual(await asked.resolve('localhost', 80), [v4('127.0.0.1')]);
  await assert.rejects(guard([], v4('8.8.8.8')).resolve('localhost', 80), OutboundRefused);
});

const allowances = [
  { allow: '10.0.0.0/8', opens: 'http://10.1.2.3:81/', notOpens: 'http://11.0.0.1:81/' },
  { allow: '127.0.0.1', opens: 'http://127.0.0.1:9000/', notOpens: 'http://127.0.0.2:9000/' },
  { allow: '127.0.0.1:9000', opens: 'http://127.1:9000/', notOpens: 'http://127.0.0.1:9001/' },
  { allow: '127.0.0.1:80', opens: 'http://127.0.0.1/', notOpens: 'http://127.0.0.1:8080/' },
  { allow: '127.0.0.1', opens: 'http://localhost:9000/', notOpens: 'http://[::1]:9000/' },
  { allow: '::1', opens: 'http://[::1]:9000/', notOpens: 'http://127.0.0.1:9000/' },
  { allow: '[::1]:9000', opens: 'http://[::1]:9000/', notOpens: 'http://[::1]:9001/' },
  { allow: 'fd00::/8', opens: 'http://[fd00::5]/', notOpens: 'http://[fe80::5]/' },
  { allow: 'localhost', opens: 'http://localhost:9000/', notOpens: 'http://127.0.0.1:9000/' },
  { allow: 'LocalHost:9000', opens: 'http://localhost.:9000/', notOpens: 'http://localhost:9001/' },
  { allow: '10.0.0.0/8', opens: 'http://10.0.0.1/', notOpens: 'http://[::ffff:10.0.0.1]/' },
];

for (const { allow, opens, notOpens } of allowances) {
  test(`allowing ${allow} opens ${opens} and not ${notOpens}`, () => {
    assert.ok(guard([allow]).admit(opens));
    assert.throws(() => guard([allow]).admit(notOpens), OutboundRefused);
  });
}

test('an allowed name may lead anywhere, at its port', async () => {
  const inside = guard(['crm.internal:8080'], v4('10.0.0.7'));
  assert.deepEqual(await inside.resolve('crm.internal', 8080), [v4('10.0.0.7')]);
  await assert.rejects(inside.resolve('crm.internal', 8081), OutboundRefused);
  await assert.rejects(inside.resolve('other.internal', 8080), OutboundRefused);
});

test('an unreadable entry of the allow list is named', () => {
  for (const entry of ['10.0.0.0/99', 'http://crm.internal', 'a b', 'crm.internal:port', '']) {
    assert.throws(() => guard([entry]), {
      message: `PATCHBAY_ALLOW_OUTBOUND: "${entry}" is neither an address range nor a host.`,
    });
  }
});

test('concurrent callers share one lookup, and the next caller makes another', async () => {
  let asked = 0;
  const counting = createGuard([], async () => {
    asked += 1;
    return [v4('8.8.8.8')];
  });
  await Promise.all([counting.resolve('example.com', 443), counting.resolve('example.com', 443)]);
  assert.equal(asked, 1);
  await counting.resolve('example.com', 443);
  assert.equal(asked, 2);
});

import type { SeededRandom } from '#tests/drills/seeded-random.ts';

const BOUNDARY = 'b';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Numbers of parts: a few, and a few more than an operation or a page accepts. */
export const PART_COUNTS = [0, 1, 2, 199, 200, 201, 202, 1_999, 2_000, 2_001, 2_002];

/** The heads of parts, with the names that operations and pages expect, and others. */
const FIELDS = [
  'file',
  'documents.0.file',
  'owners.0.documents.1.file',
  'fullName',
  'documentHolder',
  'action',
  'x',
  '__proto__',
  '',
];
const HEADS: readonly ((name: string) => string)[] = [
  (name) => `Content-Disposition: form-data; name="${name}"`,
  (name) =>
    `Content-Disposition: form-data; name="${name}"; filename="a.pdf"\r\nContent-Type: application/pdf`,
  (name) =>
    `Content-Disposition: form-data; name="${name}"; filename=""\r\nContent-Type: application/octet-stream`,
  (name) => `Content-Disposition: form-data; name=${name}; filename*=utf-8''%E2%82`,
  (name) => `Content-Disposition: attachment; name="${name}`,
  (name) => `content-disposition: form-data;\r\n name="${name}"\r\nContent-Type: text/plain; charset=utf-16`,
  () => 'A:b',
  () => '',
  () => 'no header at all',
  () => `A: ${'b'.repeat(20_000)}`,
  () => 'A: b\nC: d\r',
];
const CONTENTS = [
  '',
  'v',
  '%PDF-1.4',
  '\r\n',
  '--b',
  '\r\n-',
  '\r\n--',
  'a\0b',
  '\ud800',
  'é'.repeat(50),
  '%PDF-'.repeat(30),
  'x'.repeat(9_000),
  'x'.repeat(70_000),
];

export function hostileForm(random: SeededRandom): Buffer {
  const count = random.next() < 0.9 ? random.between(0, 6) : random.pick(PART_COUNTS);
  const heads = random.next() < 0.4 ? HEADS.slice(0, 3) : HEADS;
  const plain = part(HEADS[0]?.('x') ?? '', 'v');
  // One of many is odd; the others only have to be present.
  const parts = Array.from({ length: count }, () =>
    count > 6 && random.next() < 0.99
      ? plain
      : part(random.pick(heads)(random.pick(FIELDS)), random.pick(CONTENTS)),
  );
  const whole = Buffer.from(
    `${parts.join('')}--${BOUNDARY}${random.pick(['--\r\n', '--', '-', '', 'c--', '--\r\nafter'])}`,
  );
  return random.next() < 0.4 ? whole.subarray(0, random.between(0, whole.length)) : whole;
}

/** Every number of parts, the last one broken off. */
export function overfullForms(): Buffer[] {
  const heads = [HEADS[0]?.('x') ?? '', HEADS[1]?.('file') ?? '', 'A:b'];
  return PART_COUNTS.flatMap((count) =>
    heads.map((head) =>
      Buffer.from(`${part(head, 'v').repeat(count)}${part(HEADS[0]?.('x') ?? '', 'ab').slice(0, -2)}`),
    ),
  );
}

/** One form, whole, and cut at and around every place where something in it begins or ends. */
export function cutForms(): Buffer[] {
  const names = ['fullName', 'file', 'documents.0.file'];
  const whole = `${names.map((name, i) => part(HEADS[Math.min(i, 1)]?.(name) ?? '', '%PDF-')).join('')}--${BOUNDARY}--`;
  const places = [...whole.matchAll(/\r\n|--b|"/g)].flatMap(({ index }) => [
    index - 1,
    index,
    index + 1,
    index + 2,
  ]);
  return [...new Set([...places, whole.length])]
    .filter((at) => at >= 0 && at <= whole.length)
    .map((at) => Buffer.from(whole.slice(0, at)));
}

function part(head: string, content: string): string {
  return `--${BOUNDARY}\r\n${head}${head === '' ? '' : '\r\n'}\r\n${content}\r\n`;
}

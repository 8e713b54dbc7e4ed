/** Mails as clients and servers write them. */

export type Letter = {
  from?: string;
  to?: string;
  subject?: string;
  /** Null for a mail without one. */
  messageId?: string | null;
  inReplyTo?: string;
  headers?: string[];
  text?: string;
  html?: string;
  files?: { name: string; type: string; bytes: Buffer }[];
};

export function letter({
  from = 'Ann Lee <ann@client.example>',
  to = 'help@shop.example',
  subject = 'Hello',
  messageId = '<q1@client.example>',
  inReplyTo,
  headers = [],
  text = 'Hello',
  html,
  files = [],
}: Letter): string {
  const head = [
    ...headers.filter((line) => !/^content-/i.test(line)),
    `From: ${from}`,
    `To: ${to}`,
    ...(subject ? [`Subject: ${subject}`] : []),
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
    'Date: Mon, 4 May 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    ...headers.filter((line) => /^content-/i.test(line)),
  ];
  const type = `Content-Type: text/${html === undefined ? 'plain' : 'html'}; charset=utf-8`;
  const body = [type, '', html ?? text];
  if (files.length === 0) return [...head, ...body].join('\r\n');
  return multipart(head, 'multipart/mixed', [body, ...files.map(filePart)]);
}

const filePart = ({ name, type, bytes }: NonNullable<Letter['files']>[number]): string[] => [
  `Content-Type: ${type}`,
  `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
  'Content-Transfer-Encoding: base64',
  '',
  bytes.toString('base64'),
];

function multipart(head: string[], type: string, parts: string[][]): string {
  const boundary = 'boundary-of-the-stand-in';
  const written = parts.flatMap((part) => [`--${boundary}`, ...part]);
  return [
    ...head,
    `Content-Type: ${type}; boundary="${boundary}"`,
    '',
    ...written,
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

export type Dsn = {
  action: string;
  to?: string;
  envelopeId?: string;
  diagnosis?: string;
  /** Of the mail that is returned in part. */
  originalMessageId?: string;
};

/** A report of delivery (RFC 3464), as Postfix writes it. */
export function dsn({
  action,
  to = 'help@shop.example',
  envelopeId,
  diagnosis,
  originalMessageId,
}: Dsn): string {
  const head = [
    'Return-Path: <>',
    'From: MAILER-DAEMON@relay.example (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <report@relay.example>',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
  ];
  const status = [
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    ...(envelopeId ? [`Original-Envelope-Id: ${envelopeId}`] : []),
    '',
    'Final-Recipient: rfc822; ann@client.example',
    `Action: ${action}`,
    `Status: ${action === 'failed' ? '5.1.1' : '2.0.0'}`,
    ...(diagnosis ? [`Diagnostic-Code: smtp; ${diagnosis.replace(' No', '\r\n    No')}`] : []),
    '',
  ];
  const returned = [
    'Content-Type: text/rfc822-headers',
    '',
    'From: help@shop.example',
    ...(originalMessageId ? [`Message-ID: ${originalMessageId}`] : []),
    '',
  ];
  const words = ['Content-Type: text/plain', '', 'This is the mail system.'];
  return multipart(head, 'multipart/report; report-type=delivery-status', [words, status, returned]);
}

/** A notice of what a reader did with a mail (RFC 8098). */
export function mdn({
  messageId,
  disposition,
  from = 'Ann Lee <ann@client.example>',
  to = 'help@shop.example',
}: {
  messageId: string;
  disposition: string;
  from?: string;
  to?: string;
}): string {
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Read: Hello',
    'Message-ID: <notice@client.example>',
    'MIME-Version: 1.0',
  ];
  const notice = [
    'Content-Type: message/disposition-notification',
    '',
    'Reporting-UA: mail.client.example; Mail 1.0',
    'Final-Recipient: rfc822; ann@client.example',
    `Original-Message-ID: ${messageId}`,
    `Disposition: ${disposition}`,
    '',
  ];
  const words = ['Content-Type: text/plain', '', 'Your mail was displayed.'];
  return multipart(head, 'multipart/report; report-type=disposition-notification', [words, notice]);
}

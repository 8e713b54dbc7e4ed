/** The values that the server writes into the page. */
const { base = '', nonce = '', frame = '' } = document.documentElement.dataset;

/** The service's path on its host, without a trailing slash. */
export const basePath = base;

/** The nonce for style elements that scripts add; the page's policy refuses others. */
export const styleNonce = nonce;

/** The session of a chat center in a partner's frame; empty elsewhere. */
export const frameSession = frame;

/** What the server has written into the page. */
const { base = '', nonce = '', frame = '' } = document.documentElement.dataset;

/** The service's own path on its host, without a slash at its end. */
export const basePath = base;

/** Marks the style elements that scripts add; the page's policy refuses others. */
export const styleNonce = nonce;

/** The session of a chat center in somebody's frame; empty outside of one. */
export const frameSession = frame;

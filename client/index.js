export { createClient } from './client.js';
export { PatchbayError } from './error.js';
export { exchangeCode, refreshTokens } from './oauth.js';
export { verifyWebhook } from './webhook.js';

import { createClient } from './client.js';

/** @type {typeof import('./index.js').exchangeCode} */
export const exchangeCode = ({ clientId, clientSecret, ...where }, { code, redirectUri, codeVerifier }) =>
  createClient(where).issueToken({
    body: {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    },
  });

/** @type {typeof import('./index.js').refreshTokens} */
export const refreshTokens = ({ clientId, clientSecret, ...where }, refreshToken) =>
  createClient(where).issueToken({
    body: {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    },
  });

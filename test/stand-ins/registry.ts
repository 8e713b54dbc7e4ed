/**
 * How npm asks a registry in a test, as lines of an npmrc.
 * By default npm waits five minutes for an answer that never comes. Two of those exceeded a test's limit.
 */
export const registrySettings = ['fetch-timeout=60000', 'fetch-retries=5'];

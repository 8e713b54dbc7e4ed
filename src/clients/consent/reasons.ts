/** Why a mailing does not reach a client, in the words that lists show. */
export const unsubscribed = 'The client has unsubscribed from mailings.';
export const leftTopic = 'The client has left the topic of the mailing.';
export const suppressed = 'An address of the client is on the suppression list.';

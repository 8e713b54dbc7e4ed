import { cardTemplate } from '../../platform/http/card.ts';

/** For whoever does not get in. It says nothing that depends on them. */
export const closedCard = cardTemplate('chat-center/closed.html', 'Chat center')({});

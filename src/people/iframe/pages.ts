import { cardTemplate } from '../../platform/http/card.ts';

/** For browsers that are not admitted. Its content is the same for everybody. */
export const closedCard = cardTemplate('chat-center/closed.html', 'Chat center')({});

import type { MessageMedia } from '@mtcute/node';

/** Text for media without a message type of ours. */
export function wordsFor(media: MessageMedia): string {
  switch (media?.type) {
    case 'sticker':
      return media.emoji || 'Sticker';
    case 'dice':
      return media.emoji;
    case 'poll':
      return media.question;
    case 'venue':
      return `${media.title}, ${media.address}`;
    case 'location':
    case 'live_location':
      return `${media.latitude}, ${media.longitude}`;
    case 'contact':
      return [media.firstName, media.lastName, media.phoneNumber].filter(Boolean).join(' ');
    default:
      return '';
  }
}

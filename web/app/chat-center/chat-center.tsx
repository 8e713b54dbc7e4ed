import { PageHead } from '../shared/page-parts.tsx';

export function ChatCenter() {
  return <PageHead title="Chats" />;
}

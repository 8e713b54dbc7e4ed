import { IconMapQuestion } from '@tabler/icons-react';
import { useTexts } from '../shared/language.tsx';
import { Empty } from '../shared/page-parts.tsx';
import { common } from '../shared/texts.ts';

export function NotFoundPage() {
  const t = useTexts(common);
  return <Empty icon={<IconMapQuestion />} title={t.notFound} />;
}

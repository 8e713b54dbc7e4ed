import { texts, useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';

const home = texts({ title: 'Start' }, { ru: { title: 'Начало' } });

export default function Home() {
  const t = useTexts(home);
  return <PageHead title={t.title} />;
}

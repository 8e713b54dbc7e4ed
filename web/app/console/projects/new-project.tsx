import { useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { CreateProject } from './create.tsx';
import { projectTexts } from './texts.ts';

/** `/console/<project>/new-project/` */
export default function NewProject() {
  const t = useTexts(projectTexts);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <CreateProject />
    </>
  );
}

import { SimpleGrid } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { Definitions } from './definitions.tsx';
import { dictionaryTexts } from './dictionary-texts.ts';
import { Sections } from './sections.tsx';

/** `/console/<project>/profiles/dictionary/` */
export default function DictionaryPage() {
  const t = useTexts(dictionaryTexts);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Sections at="dictionary" />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Definitions kind="tags" />
        <Definitions kind="attributes" />
      </SimpleGrid>
    </>
  );
}

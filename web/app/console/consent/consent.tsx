import { Tabs } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { Suppressions } from './suppressions.tsx';
import { consentTexts } from './texts.ts';
import { Topics } from './topics.tsx';
import { Words } from './words.tsx';

/** `/console/<project>/consent/` */
export default function ConsentPage() {
  const t = useTexts(consentTexts);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Tabs defaultValue="topics" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="topics">{t.topics}</Tabs.Tab>
          <Tabs.Tab value="words">{t.words}</Tabs.Tab>
          <Tabs.Tab value="list">{t.list}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="topics" pt="md">
          <Topics />
        </Tabs.Panel>
        <Tabs.Panel value="words" pt="md">
          <Words />
        </Tabs.Panel>
        <Tabs.Panel value="list" pt="md">
          <Suppressions />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

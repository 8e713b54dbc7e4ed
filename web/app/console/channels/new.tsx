import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Channel, Messenger } from '../../../../src/people/console/channels/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './guide.module.css';
import { GuideForm } from './guide-form.tsx';
import { guideTexts } from './guide-texts.ts';
import type { NewSearch } from './new-search.ts';
import { platformName } from './platform.ts';
import type { Value } from './setting-field.tsx';
import type { Filled } from './settings-form.tsx';
import { channels } from './texts.ts';
import { useAllMessengers } from './use-messengers.ts';

/** `/console/<project>/channels/new/`: choose a messenger, follow its guide, write to yourself. */
export default function NewChannel() {
  const t = useTexts(channels);
  const words = useTexts(guideTexts);
  const project = useProjectId();
  const { platform }: NewSearch = useSearch({ strict: false });
  const { data, error, isPending, refetch } = useAllMessengers();
  return (
    <>
      <PageHead
        title={platform ? `${t.newTitle}: ${platformName(platform)}` : t.newTitle}
        lead={platform ? undefined : words.choose}
      >
        {platform && (
          <ButtonLink to="/$project/channels/new/" params={{ project }} search={{}} variant="default">
            {words.other}
          </ButtonLink>
        )}
      </PageHead>
      {isPending && <Loading />}
      {error && <LoadProblem error={error} onRetry={refetch} />}
      {data && <Guided messengers={data} />}
    </>
  );
}

function Guided({ messengers }: { messengers: Messenger[] }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const project = useProjectId();
  const { platform, channel }: NewSearch = useSearch({ strict: false });
  const [entered, keep] = useState<Readonly<Record<string, Value>>>({});
  const messenger = messengers.find((one) => one.platform === platform);
  if (!messenger) return <Choice messengers={messengers} />;
  if (channel) return <FirstSteps uuid={channel} messengers={messengers} entered={entered} />;

  async function add({ name, settings }: Filled) {
    const { uuid } = await api.post<Channel>('channels/', { platform, name, settings });
    keep(settings);
    await queries.invalidateQueries({ queryKey: [project] });
    await navigate({
      to: '/$project/channels/new/',
      params: { project },
      search: { ...(platform && { platform }), channel: uuid },
      replace: true,
    });
    window.scrollTo(0, 0);
  }

  return <GuideForm key={messenger.platform} messenger={messenger} send={add} />;
}

function Choice({ messengers }: { messengers: Messenger[] }) {
  const project = useProjectId();
  return (
    <nav className={styles.platforms}>
      {messengers.map(({ platform }) => (
        <ButtonLink
          key={platform}
          to="/$project/channels/new/"
          params={{ project }}
          search={{ platform }}
          variant="default"
          size="md"
          px="xs"
        >
          {platformName(platform)}
        </ButtonLink>
      ))}
    </nav>
  );
}

import { ActionIcon, Text } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { go, usePlace } from '../address.ts';
import { useClient } from '../chats.ts';
import shell from '../shell/shell.module.css';
import { shellTexts } from '../shell/texts.ts';
import classes from './client.module.css';
import { clientTexts } from './texts.ts';

const ClientForm = lazy(() => import('./client-form.tsx'));

/** The third column: the client of the open chat. */
export function ClientColumn() {
  const { chat } = usePlace();
  const t = useTexts(clientTexts);
  const { toChat } = useTexts(shellTexts);
  return (
    <>
      <div className={classes.head}>
        <ActionIcon
          className={shell.back}
          variant="subtle"
          aria-label={toChat}
          onClick={() => go({ client: false })}
        >
          <IconChevronLeft aria-hidden />
        </ActionIcon>
        <Text component="h2" fw={600} size="sm">
          {t.title}
        </Text>
      </div>
      <div className={classes.scroll}>
        {chat ? (
          <Suspense fallback={<Loading />}>
            <Client key={chat} chat={chat} />
          </Suspense>
        ) : (
          <Text size="sm">{t.nobody}</Text>
        )}
      </div>
    </>
  );
}

function Client({ chat }: { chat: string }) {
  const client = useClient(chat);
  if (client.isPending) return <Loading />;
  if (client.isError && !client.data) return <LoadProblem error={client.error} onRetry={client.refetch} />;
  return <ClientForm chat={chat} profile={client.data} />;
}

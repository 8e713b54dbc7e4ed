import { Alert, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentitySecret } from '../../../../src/people/console/widget/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useShowProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { CodeLine } from './code-line.tsx';
import { useScriptTag } from './script-tag.ts';
import { widgetTexts } from './texts.ts';

const examples = {
  'Node.js': `import { createHmac } from 'node:crypto';
const key = process.env.WIDGET_KEY;
const exp = Math.floor(Date.now() / 1000) + 3600;
const hash = createHmac('sha512', key).update(\`\${exp}.\${user.id}\`).digest('hex');`,
  PHP: `$key = getenv('WIDGET_KEY');
$exp = time() + 3600;
$hash = hash_hmac('sha512', "$exp.$user->id", $key);`,
  Python: `import hashlib, hmac, os, time
key = os.environ['WIDGET_KEY'].encode()
exp = int(time.time()) + 3600
hash = hmac.new(key, f'{exp}.{user.id}'.encode(), hashlib.sha512).hexdigest()`,
};

const firstExample = 'Node.js';

/** The identity key, with which a page proves its signed-in user. */
export function Identity({ uuid, isSet }: { uuid: string; isSet: boolean }) {
  const t = useTexts(widgetTexts);
  const scriptTag = useScriptTag();
  const withUser = ['data-user="42"', 'data-user-exp="…"', 'data-user-hash="…"', 'data-user-name="Ann"'];
  return (
    <Stack maw={860}>
      <Title order={2} size="h3">
        {t.identity}
      </Title>
      <Text>{t.identityText}</Text>
      <Key uuid={uuid} isSet={isSet} />
      <Tabs defaultValue={firstExample}>
        <Tabs.List aria-label={t.example} mb="sm">
          {Object.keys(examples).map((language) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(examples).map(([language, code]) => (
          <Tabs.Panel key={language} value={language}>
            <CodeLine label={t.example} code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <CodeLine label={t.tagWithUser} code={scriptTag(uuid, withUser)} />
    </Stack>
  );
}

function Key({ uuid, isSet }: { uuid: string; isSet: boolean }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const showProblem = useShowProblem();
  const t = useTexts(widgetTexts);
  const [secret, setSecret] = useState<string | null>(null);

  async function rotate(): Promise<void> {
    const made = await api.post<IdentitySecret>(`widgets/${uuid}/identity-secret/`);
    setSecret(made.secret);
    await queries.invalidateQueries({ queryKey: [project, 'channels', uuid] });
  }

  return (
    <>
      <Group>
        <Text>{isSet ? t.keySet : t.keyMissing}</Text>
        {isSet ? (
          <ConfirmButton label={t.newKey} title={t.newKeyAsk} onConfirm={rotate} size="sm">
            {t.newKeyText}
          </ConfirmButton>
        ) : (
          <Button variant="default" size="sm" onClick={() => rotate().catch(showProblem)}>
            {t.makeKey}
          </Button>
        )}
      </Group>
      {secret !== null && (
        <Alert icon={<IconKey aria-hidden />} role="status">
          <CodeLine label={t.key} code={secret} />
          <Text size="sm" mt="xs">
            {t.keyText}
          </Text>
        </Alert>
      )}
    </>
  );
}

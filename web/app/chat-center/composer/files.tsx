import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconFile, IconX } from '@tabler/icons-react';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useDesk } from '../desk.tsx';
import classes from './composer.module.css';
import { composerTexts } from './texts.ts';
import type { Upload } from './uploads.ts';

/** The files of the next message and their upload progress. */
export function Files({ uploads }: { uploads: readonly Upload[] }) {
  const t = useTexts(composerTexts);
  if (uploads.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={t.files}>
      {uploads.map((upload) => (
        <FileOnItsWay key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

function FileOnItsWay({ upload: { id, file, state, progress, problem } }: { upload: Upload }) {
  const t = useTexts(composerTexts);
  const { retry } = useTexts(common);
  const { percent } = useFormat();
  const { uploads } = useDesk();
  const word = { uploading: t.uploading(percent(progress)), ready: t.ready, failed: problem || t.failed }[
    state
  ];
  return (
    <li className={classes.file}>
      {state === 'failed' ? <IconAlertTriangle size={18} aria-hidden /> : <IconFile size={18} aria-hidden />}
      <div className={classes.fileWords}>
        <Text size="sm" truncate>
          {file.name}
        </Text>
        <Text size="xs" role={state === 'failed' ? 'alert' : undefined}>
          {word}
        </Text>
        {state === 'uploading' && <Progress value={progress * 100} size="xs" aria-label={file.name} />}
      </div>
      <Group gap={4} wrap="nowrap">
        {state === 'failed' && (
          <Button size="compact-xs" variant="default" onClick={() => uploads.retry(id)}>
            {retry}
          </Button>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t.remove(file.name)}
          onClick={() => uploads.remove([id])}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}

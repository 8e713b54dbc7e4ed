import { Button, FileButton, Text } from '@mantine/core';
import { IconDownload, IconHistory, IconRocket, IconUpload, IconWand } from '@tabler/icons-react';
import type { Scenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import type { Keeping } from './draft-keeping.ts';
import { editTexts } from './edit-texts.ts';
import { format } from './source.ts';

type Props = {
  scenario: Scenario;
  source: string;
  isUnsaved: boolean;
  /** Whether the text can be published. */
  isRight: boolean;
  keeping: Keeping;
  busy: boolean;
  onEdit(source: string): void;
  onSave(): void;
};

export function EditorActions({
  scenario,
  source,
  isUnsaved,
  isRight,
  keeping,
  busy,
  onEdit,
  onSave,
}: Props) {
  const t = useTexts(editTexts);
  const project = useProjectId();
  return (
    <>
      <ButtonLink
        to="/$project/scenarios/$scenario/versions/"
        params={{ project, scenario: String(scenario.id) }}
        variant="default"
        leftSection={<IconHistory size={16} aria-hidden />}
      >
        {t.versions}
      </ButtonLink>
      <Button
        variant="default"
        onClick={() => onEdit(format(source))}
        leftSection={<IconWand size={16} aria-hidden />}
      >
        {t.format}
      </Button>
      <Button
        variant="default"
        onClick={() => download(`${scenario.name}.json`, source)}
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t.download}
      </Button>
      <FileButton
        accept="application/json,.json"
        onChange={async (file) => {
          if (file) onEdit(await file.text());
        }}
      >
        {(props) => (
          <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} {...props}>
            {t.upload}
          </Button>
        )}
      </FileButton>
      <Text size="sm" role="status" miw={150}>
        {t.keeping[keeping]}
      </Text>
      <Button
        onClick={onSave}
        loading={busy}
        disabled={!isUnsaved || !isRight}
        miw={140}
        leftSection={<IconRocket size={16} aria-hidden />}
      >
        {t.publish}
      </Button>
    </>
  );
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Application, ApplicationCreate } from '../../../../src/people/console/applications/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { ApplicationForm } from './form.tsx';
import { applicationTexts } from './texts.ts';

export function ChangeButton({ application }: { application: Application }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  async function change(form: ApplicationCreate) {
    await api.patch(`applications/${application.uuid}/`, form);
    await queries.invalidateQueries({ queryKey: [project, 'applications'] });
    close();
  }
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={open} aria-label={t.changeTitle(application.name)}>
        {t.change}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t.changeTitle(application.name)}
        closeButtonProps={{ 'aria-label': words.close }}
        size="lg"
      >
        <ApplicationForm initial={application} action={words.save} onSend={change} onCancel={close} />
      </Modal>
    </>
  );
}

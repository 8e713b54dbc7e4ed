import { Modal, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useDesk } from '../desk.tsx';
import { actionTexts } from './texts.ts';

/** A long list of names overflows the dialog. */
const overflowing = { content: { overflow: 'visible' } };

export default function PassModal({ chat, onClose }: { chat: ChatEntry; onClose(): void }) {
  const t = useTexts(actionTexts);
  const { close } = useTexts(common);
  const { account, act } = useDesk();
  const form = useForm<{ operator: string | null }>({ initialValues: { operator: null } });
  const { busy, problem, submit } = useSubmit(
    form,
    async (values: { operator: string | null }) => {
      await act(chat.uuid, 'pass', values);
      onClose();
    },
    { quiet: true },
  );
  const has = chat.session?.operator?.uuid;
  const colleagues = account.operators.filter(({ uuid }) => uuid !== account.operator.uuid && uuid !== has);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.passTitle}
      centered
      styles={overflowing}
      closeButtonProps={{ 'aria-label': close }}
    >
      {colleagues.length === 0 ? (
        <Text>{t.nobodyElse}</Text>
      ) : (
        <form onSubmit={form.onSubmit(submit)}>
          <Stack>
            <FormProblem text={problem} />
            <Select
              label={t.passTo}
              placeholder={t.passSearch}
              nothingFoundMessage={t.nobodyFound}
              data={colleagues.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              searchable
              data-autofocus
              comboboxProps={{ withinPortal: false }}
              {...form.getInputProps('operator')}
            />
            <FormButtons
              action={t.pass}
              busy={busy}
              disabled={form.values.operator === null}
              onCancel={onClose}
            />
          </Stack>
        </form>
      )}
    </Modal>
  );
}

import { Autocomplete, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useDesk } from '../desk.tsx';
import { actionTexts } from './texts.ts';

/** A long list of suggestions overflows the dialog. */
const overflowing = { content: { overflow: 'visible' } };

type Reason = { category: string; theme: string };

const orNull = (text: string): string | null => text.trim() || null;

export default function CloseModal({ chat, onClose }: { chat: ChatEntry; onClose(): void }) {
  const t = useTexts(actionTexts);
  const { close } = useTexts(common);
  const { account, act } = useDesk();
  const form = useForm<Reason>({ initialValues: { category: '', theme: '' } });
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ category, theme }: Reason) => {
      await act(chat.uuid, 'close', { category: orNull(category), theme: orNull(theme) });
      onClose();
    },
    { quiet: true },
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.closeTitle}
      centered
      styles={overflowing}
      closeButtonProps={{ 'aria-label': close }}
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <Text size="sm">{t.closeLead}</Text>
          <FormProblem text={problem} />
          <Autocomplete
            label={t.category}
            data={account.categories}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
            {...form.getInputProps('category')}
          />
          <Autocomplete
            label={t.theme}
            data={account.themes}
            comboboxProps={{ withinPortal: false }}
            {...form.getInputProps('theme')}
          />
          <FormButtons action={t.close} busy={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

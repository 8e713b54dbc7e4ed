import { useTexts } from '../../shared/language.tsx';
import { Dialog } from './dialog.tsx';
import { GenerateForm } from './generate-form.tsx';
import { promocodeTexts } from './texts.ts';

export function Generate({ group }: { group: string }) {
  const t = useTexts(promocodeTexts);
  return (
    <Dialog label={t.generate} title={t.generate} variant="filled">
      {(close) => <GenerateForm group={group} onDone={close} />}
    </Dialog>
  );
}

import { useTexts } from '../../shared/language.tsx';
import { Dialog } from './dialog.tsx';
import { ImportForm } from './import-form.tsx';
import { promocodeTexts } from './texts.ts';

export function Import({ group }: { group: string }) {
  const t = useTexts(promocodeTexts);
  return (
    <Dialog label={t.import} title={t.import}>
      {() => <ImportForm group={group} />}
    </Dialog>
  );
}

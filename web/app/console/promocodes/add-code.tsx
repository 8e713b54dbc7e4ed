import { useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useApi } from '../api.ts';
import { useRefresh } from './calls.ts';
import { Dialog } from './dialog.tsx';
import { OneField } from './one-field.tsx';
import { promocodeTexts } from './texts.ts';

export function AddCode({ group }: { group: string }) {
  const t = useTexts(promocodeTexts);
  const words = useTexts(common);
  const api = useApi();
  const refresh = useRefresh();
  return (
    <Dialog label={t.addOne} title={t.addOne}>
      {(close) => (
        <OneField
          name="code"
          label={t.code}
          button={words.add}
          send={async (code) => {
            await api.post('promocodes/', { code, group });
            await refresh();
            close();
          }}
        />
      )}
    </Dialog>
  );
}

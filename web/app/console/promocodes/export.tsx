import { Button } from '@mantine/core';
import { useState } from 'react';
import type { StockedGroup } from '../../../../src/people/console/promocodes/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useShowProblem } from '../../shared/problem.tsx';
import { useApi } from '../api.ts';
import { promocodeTexts } from './texts.ts';

const megabyte = 1_000_000;

/** Saves the codes as a file. The call sends the project in a header, which a plain link cannot. */
export function Export({ group: { uuid, name } }: { group: StockedGroup }) {
  const t = useTexts(promocodeTexts);
  const { number } = useFormat();
  const api = useApi();
  const showProblem = useShowProblem();
  const [received, setReceived] = useState<number | null>(null);
  async function save() {
    setReceived(0);
    try {
      const { body } = await api.open('GET', `promocode-groups/${uuid}/export/`);
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          setReceived((before) => (before ?? 0) + bytes.length);
          controller.enqueue(bytes);
        },
      });
      offer(await new Response(body?.pipeThrough(counting)).blob(), `${name.slice(0, 60)}.csv`);
    } catch (error) {
      showProblem(error);
    }
    setReceived(null);
  }
  return (
    <Button variant="default" onClick={save} disabled={received !== null} aria-live="polite">
      {received === null ? t.export : t.exporting(number(Math.round((received / megabyte) * 10) / 10))}
    </Button>
  );
}

function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name.replace(/[\\/:*?"<>|]/g, '_');
  link.click();
  URL.revokeObjectURL(link.href);
}

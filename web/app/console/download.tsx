import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts, useFormat, useLanguage, useTexts } from '../shared/language.tsx';
import { useShowProblem } from '../shared/problem.tsx';
import { useApi } from './api.ts';

const megabyte = 1_000_000;

const downloadTexts = texts(
  { download: 'Export', received: (size: string) => `Exporting: ${size} MB so far` },
  { ru: { download: 'Выгрузить', received: (size) => `Выгрузка: уже ${size} МБ` } },
);

/** Saves a CSV file of the server, with headings in the person's language. The call sends the project in a header, which a plain link cannot. */
export function Download({ path, name, label }: { path: string; name: string; label?: string }) {
  const t = useTexts(downloadTexts);
  const { number } = useFormat();
  const { language } = useLanguage();
  const api = useApi();
  const showProblem = useShowProblem();
  const [received, setReceived] = useState<number | null>(null);
  async function save() {
    setReceived(0);
    try {
      const { body } = await api.open('GET', `${path}?language=${language}`);
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
      {received === null
        ? (label ?? t.download)
        : t.received(number(Math.round((received / megabyte) * 10) / 10))}
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

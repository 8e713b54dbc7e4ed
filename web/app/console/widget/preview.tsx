import { Group, Stack, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { createConversation } from '../../../widget/conversation.js';
import { drawingOf } from '../../../widget/options.js';
import { createView, type View } from '../../../widget/view.js';
import { useTexts } from '../../shared/language.tsx';
import { Choice } from './choice.tsx';
import type { Look } from './look.ts';
import frame from './preview.module.css';
import { widgetTexts } from './texts.ts';

type Scene = 'empty' | 'talking' | 'closed';

const isScene = (word: string): word is Scene => ['empty', 'talking', 'closed'].includes(word);

const nothing = () => {};
const unwired = {
  actions: { retry: nothing, press: nothing },
  onSeen: nothing,
  onTop: nothing,
  onSend: nothing,
  onFile: nothing,
  onOpen: nothing,
  onClose: nothing,
};

/** The widget itself, drawn by its own modules, without a connection and without keyboard focus. */
export function Preview({ look }: { look: Look }) {
  const t = useTexts(widgetTexts);
  const place = useRef<HTMLDivElement>(null);
  const [scene, setScene] = useState<Scene>('talking');
  useEffect(() => {
    const view = createView(drawingOf(look), unwired);
    place.current?.append(view.host);
    play(view, scene, t);
    return view.remove;
  }, [look, scene, t]);
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Title order={2} size="h3">
          {t.preview}
        </Title>
        <Choice
          label={t.scene}
          choices={{ empty: t.empty, talking: t.talking, closed: t.closed }}
          value={scene}
          onChange={(word) => isScene(word) && setScene(word)}
        />
      </Group>
      <div className={frame.page} role="img" aria-label={t.previewAlt}>
        <div ref={place} inert />
      </div>
    </Stack>
  );
}

type Words = (typeof widgetTexts)['en'];

/** Shows the widget in one of its states. */
function play({ panel, launcher, log }: View, scene: Scene, t: Words): void {
  const conversation = createConversation({ placed: log.place, changed: log.update });
  panel.setConnected(true);
  panel.node.hidden = scene === 'closed';
  const said = scene === 'empty' ? [] : [t.sample1, t.sample2, t.sample3];
  log.fill(() => {
    for (const [index, text] of said.entries()) {
      const isClient = index === 1;
      conversation.learn({
        uuid: String(index),
        echo_id: null,
        from: isClient ? 'client' : 'team',
        type: 'text',
        text,
        url: null,
        buttons: [],
        author: isClient ? null : t.sampleAuthor,
        at: new Date(new Date().setHours(10, index)).toISOString(),
        seen: true,
      });
    }
  });
  log.toEnd();
  launcher.show(scene !== 'closed', scene === 'closed' ? 1 : 0);
  if (scene === 'closed') launcher.announce(t.sample3);
}

import { Menu, Text } from '@mantine/core';
import { useTexts } from '../../../shared/language.tsx';
import classes from './canvas.module.css';
import { type Kind, kinds } from './graph.ts';
import { kindIcons } from './kind-icons.ts';
import { canvasTexts } from './texts.ts';

type Props = {
  /** The corner of the menu within the canvas, in pixels. Null closes it. */
  at: { x: number; y: number } | null;
  onChoose(kind: Kind): void;
  onClose(): void;
};

/** No key: a menu that appears at once would hear the key that opened it, and close. */
const closingEvents = ['mousedown', 'touchstart'];

/** The kinds of steps, where the next one shall be. */
export function StepMenu({ at, onChoose, onClose }: Props) {
  const t = useTexts(canvasTexts);
  return (
    <Menu
      opened={at !== null}
      onClose={onClose}
      clickOutsideEvents={closingEvents}
      position="bottom-start"
      width={300}
      withinPortal
    >
      <Menu.Target>
        <button
          type="button"
          className={classes.target}
          style={{ left: at?.x ?? 0, top: at?.y ?? 0 }}
          aria-label={t.addAfter}
          aria-hidden
          tabIndex={-1}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.addAfter}</Menu.Label>
        {kinds.map((kind) => {
          const Icon = kindIcons[kind];
          return (
            <Menu.Item
              key={kind}
              py={5}
              leftSection={<Icon size={18} aria-hidden />}
              onClick={() => onChoose(kind)}
            >
              {t.kinds[kind]}
              <Text size="xs" c="dimmed" span display="block">
                {t.kindHints[kind]}
              </Text>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Kbd, Modal, Table } from '@mantine/core';
import { texts, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';

const words = texts(
  {
    title: 'Keyboard shortcuts',
    key: 'Key',
    does: 'Action',
    move: 'Move through the list',
    open: 'Open the chat',
    search: 'Search',
    back: 'Back to the list',
    send: 'Send',
    line: 'New line',
    quick: 'Quick answers, in an empty message',
    take: 'Take the chat',
    close: 'Close the chat',
    help: 'Show this help',
  },
  {
    ru: {
      title: 'Горячие клавиши',
      key: 'Клавиша',
      does: 'Действие',
      move: 'Перемещение по списку',
      open: 'Открыть чат',
      search: 'Поиск',
      back: 'Назад к списку',
      send: 'Отправить',
      line: 'Новая строка',
      quick: 'Быстрые ответы, в пустом сообщении',
      take: 'Взять чат',
      close: 'Закрыть чат',
      help: 'Показать эту справку',
    },
  },
);

const keys = [
  [['↑', '↓'], 'move'],
  [['Enter'], 'open'],
  [['/'], 'search'],
  [['Esc'], 'back'],
  [['Enter'], 'send'],
  [['Shift + Enter'], 'line'],
  [['/'], 'quick'],
  [['Alt + T'], 'take'],
  [['Alt + C'], 'close'],
  [['?'], 'help'],
] as const;

export default function Shortcuts({ onClose }: { onClose(): void }) {
  const t = useTexts(words);
  const { close } = useTexts(common);
  return (
    <Modal opened onClose={onClose} title={t.title} centered closeButtonProps={{ 'aria-label': close }}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.key}</Table.Th>
            <Table.Th>{t.does}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(([names, does]) => (
            <Table.Tr key={does}>
              <Table.Td>
                {names.map((name) => (
                  <Kbd key={name} mr={4}>
                    {name}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{t[does]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

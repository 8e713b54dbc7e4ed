import { Badge, Card, Group, List, Stack, Text, Title } from '@mantine/core';
import type { Calendar } from '../../../../../src/people/console/mailings/calendar/schema.ts';
import { useLanguage, useTexts } from '../../../shared/language.tsx';
import { platformName } from '../../../shared/platforms.ts';
import { useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { calendarTexts } from './texts.ts';

type Day = Calendar['days'][number];

/** The mailings that start on one day, in the order of time. */
export function CalendarDay({
  day: { day, entries },
  isToday,
  quietUntil,
}: {
  day: Day;
  isToday: boolean;
  quietUntil: string | null;
}) {
  const t = useTexts(calendarTexts);
  const { language } = useLanguage();
  const title = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(day));
  return (
    <section aria-labelledby={`day-${day}`}>
      <Title order={3} size="h5" mb="xs" id={`day-${day}`}>
        {isToday ? `${title}, ${t.isToday}` : title}
      </Title>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.nothing}
        </Text>
      )}
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {entries.map((entry) => (
          <Entry key={entry.uuid + entry.at} entry={entry} quietUntil={quietUntil} />
        ))}
      </Stack>
    </section>
  );
}

const colors = { planned: 'blue', awaits: 'yellow', started: 'teal', rest: 'grape' } as const;

function Entry({ entry, quietUntil }: { entry: Day['entries'][number]; quietUntil: string | null }) {
  const t = useTexts(calendarTexts);
  const project = useProjectId();
  const { uuid, name, at, time, kind, is_regular, is_quiet, platforms, collides_with } = entry;
  const facts = [...platforms.map(platformName), ...(is_regular ? [t.regular] : [])];
  return (
    <Card component="li" withBorder p="sm">
      <Group gap="sm">
        <Text component="time" dateTime={at} fw={600}>
          {time}
        </Text>
        <TextLink
          to="/$project/mailings/$mailing/"
          params={{ project, mailing: uuid }}
          style={{ overflowWrap: 'anywhere' }}
        >
          {name}
        </TextLink>
        <Badge color={colors[kind]} variant="outline" c="var(--mantine-color-text)" tt="none">
          {t.kinds[kind]}
        </Badge>
      </Group>
      {facts.length > 0 && (
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      {is_quiet && quietUntil !== null && <Text size="sm">{t.isQuiet(quietUntil)}</Text>}
      {collides_with.length > 0 && (
        <>
          <Text size="sm" fw={600} mt={4}>
            {t.collides}
          </Text>
          <List size="sm">
            {collides_with.map((other) => (
              <List.Item key={other.uuid + other.time}>
                {other.time}{' '}
                <TextLink to="/$project/mailings/$mailing/" params={{ project, mailing: other.uuid }} inherit>
                  {other.name}
                </TextLink>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Card>
  );
}

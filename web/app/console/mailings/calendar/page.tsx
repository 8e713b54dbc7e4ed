import { Alert, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Calendar } from '../../../../../src/people/console/mailings/calendar/schema.ts';
import { useLanguage, useTexts } from '../../../shared/language.tsx';
import { Loading, PageHead } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { CalendarDay } from './day.tsx';
import { calendarTexts } from './texts.ts';

type View = 'month' | 'week';

/** `/console/<project>/mailings/calendar/` */
export default function CalendarPage() {
  const t = useTexts(calendarTexts);
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const { view = 'month', day } = useSearch({ strict: false });
  const query = useQuery({
    queryKey: [project, 'mailing-calendar', view, day],
    queryFn: ({ signal }) => api.get<Calendar>('mailings/calendar/', { view, day }, signal),
    placeholderData: keepPreviousData,
  });
  const show = (to: { view: View; day?: string | undefined }) =>
    navigate({ to: '/$project/mailings/calendar/', params: { project }, search: to });
  return (
    <>
      <TextLink to="/$project/mailings/" params={{ project }} size="sm">
        <IconArrowLeft size={14} aria-hidden /> {t.back}
      </TextLink>
      <PageHead title={t.title} lead={query.data && t.zone(query.data.timezone)} />
      {query.isPending && <Loading height={480} />}
      {query.isError && <LoadProblem error={query.error} onRetry={query.refetch} />}
      {query.data && (
        <Stack>
          <Bar calendar={query.data} view={view} onShow={show} />
          <Days calendar={query.data} view={view} />
        </Stack>
      )}
    </>
  );
}

const isView = (value: string): value is View => value === 'month' || value === 'week';

function Bar({
  calendar: { start, previous, next, quiet_from, quiet_until },
  view,
  onShow,
}: {
  calendar: Calendar;
  view: View;
  onShow(to: { view: View; day?: string | undefined }): void;
}) {
  const t = useTexts(calendarTexts);
  const { language } = useLanguage();
  const words: Intl.DateTimeFormatOptions =
    view === 'month'
      ? { month: 'long', year: 'numeric' }
      : { day: 'numeric', month: 'long', year: 'numeric' };
  const title = new Intl.DateTimeFormat(language, { ...words, timeZone: 'UTC' }).format(new Date(start));
  return (
    <>
      <Group>
        <SegmentedControl
          aria-label={t.view}
          data={(['month', 'week'] as const).map((value) => ({ value, label: t.views[value] }))}
          value={view}
          onChange={(value) => isView(value) && onShow({ view: value, day: start })}
        />
        <Button variant="default" onClick={() => onShow({ view, day: previous })}>
          {t.previous}
        </Button>
        <Button variant="default" onClick={() => onShow({ view })}>
          {t.today}
        </Button>
        <Button variant="default" onClick={() => onShow({ view, day: next })}>
          {t.next}
        </Button>
      </Group>
      <Title order={2} size="h3" aria-live="polite">
        {title}
      </Title>
      {quiet_from !== null && quiet_until !== null && (
        <Text size="sm">{t.quiet(quiet_from, quiet_until)}</Text>
      )}
    </>
  );
}

function Days({ calendar, view }: { calendar: Calendar; view: View }) {
  const t = useTexts(calendarTexts);
  const { days, is_cut, today, quiet_until } = calendar;
  // A month has many days without any. A week shows its free ones.
  const shown = view === 'week' ? days : days.filter(({ entries }) => entries.length > 0);
  return (
    <Stack gap="lg">
      {is_cut && <Alert color="yellow">{t.cut}</Alert>}
      {shown.length === 0 && <Text>{t.none}</Text>}
      {shown.map((day) => (
        <CalendarDay key={day.day} day={day} isToday={day.day === today} quietUntil={quiet_until} />
      ))}
    </Stack>
  );
}

import { Group } from '@mantine/core';
import { useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { profileTexts } from './texts.ts';

/** Navigation between profiles and their tags and attributes. */
export function Sections({ at }: { at: 'list' | 'dictionary' }) {
  const t = useTexts(profileTexts);
  const project = useProjectId();
  const look = (isHere: boolean) =>
    ({ variant: isHere ? 'filled' : 'default', 'aria-current': isHere ? 'page' : undefined }) as const;
  return (
    <Group component="nav" aria-label={t.sections} gap="xs" mb="md">
      <ButtonLink to="/$project/profiles/" params={{ project }} {...look(at === 'list')}>
        {t.all}
      </ButtonLink>
      <ButtonLink to="/$project/profiles/dictionary/" params={{ project }} {...look(at === 'dictionary')}>
        {t.dictionary}
      </ButtonLink>
    </Group>
  );
}

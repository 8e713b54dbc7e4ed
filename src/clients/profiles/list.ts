import { action } from '../../platform/http/action.ts';
import { PageOf, pageOf } from '../../platform/http/pages.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { presentProfile } from './present.ts';
import { Profile, ProfileFilters } from './schema.ts';
import { countProfiles, profilesPage } from './store.ts';

/** GET /api/partners/profiles/. Source: docs/contract.md, section 7. */
export const listProfiles = action({
  name: 'listProfiles',
  summary: 'List client profiles',
  query: ProfileFilters,
  response: PageOf(Profile),
  handle: async ({ context: { sql }, principal: { projectId }, query, request }) => {
    const page = pageOf(request);
    const filters = { ...query, phone_number: query.phone_number && storedPhone(query.phone_number) };
    const count = await countProfiles(sql, projectId, filters);
    const rows = await profilesPage(sql, projectId, filters, count, page);
    return page.envelope(count, rows.map(presentProfile));
  },
});

/** An invalid number is searched literally, and matches nothing. */
const storedPhone = (text: string): string => normalizePhone(text) ?? text;

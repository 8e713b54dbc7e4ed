import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createApi } from '../../shared/api.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { basePath } from '../../shared/page.ts';
import { PageHead } from '../../shared/page-parts.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { root, useAccount } from '../api.ts';
import { accountTexts } from './texts.ts';

/** `/console/<project>/account/` */
export default function AccountPage() {
  const t = useTexts(accountTexts);
  const { data: account } = useAccount();
  return (
    <>
      <PageHead title={t.title} lead={account?.email} />
      <Stack gap={40} maw={480}>
        <ChangePassword email={account?.email ?? ''} />
        <form method="post" action={`${basePath}/sign-out/`}>
          <input type="hidden" name="token" value={account?.form_token ?? ''} />
          <input type="hidden" name="everywhere" value="true" />
          <Stack gap="xs" align="flex-start">
            <Title order={2} size="h3">
              {t.everywhere}
            </Title>
            <Text>{t.everywhereHint}</Text>
            <Button type="submit" variant="default">
              {t.everywhere}
            </Button>
          </Stack>
        </form>
      </Stack>
    </>
  );
}

function ChangePassword({ email }: { email: string }) {
  const t = useTexts(accountTexts);
  const form = useForm({
    initialValues: { current: '', password: '', again: '' },
    validate: { again: (again, { password }) => (again === password ? null : t.differ) },
  });
  const { busy, problem, submit } = useSubmit(form, async ({ current, password }: typeof form.values) => {
    await createApi(root).post('account/password/', { current, password });
    form.reset();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Title order={2} size="h3">
          {t.password}
        </Title>
        <Text>{t.others}</Text>
        <input type="hidden" name="email" value={email} autoComplete="username" readOnly />
        <PasswordInput
          label={t.current}
          description={t.currentHint}
          autoComplete="current-password"
          maxLength={1024}
          required
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label={t.next}
          description={t.nextHint}
          autoComplete="new-password"
          maxLength={1024}
          required
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label={t.again}
          autoComplete="new-password"
          maxLength={1024}
          required
          {...form.getInputProps('again')}
        />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {t.change}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

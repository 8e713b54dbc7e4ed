import { useState } from 'react';
import { ApiProblem } from './api.ts';
import { useTexts } from './language.tsx';
import { useProblemText, useShowDone } from './problem.tsx';
import { common } from './texts.ts';

type FormErrors = { setErrors(errors: Record<string, string>): void; values: object };

/**
 * Submits a form. `busy` is true meanwhile. Errors of the server appear beside their fields, or in `problem` if the
 * form has no such field. The input is kept.
 */
export function useSubmit<Values>(
  form: FormErrors,
  send: (values: Values) => Promise<unknown>,
  { quiet = false }: { quiet?: boolean } = {},
) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const textOf = useProblemText();
  const showDone = useShowDone();
  const t = useTexts(common);

  async function submit(values: Values): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await send(values);
      if (!quiet) showDone(t.saved);
    } catch (error) {
      const fields = error instanceof ApiProblem ? error.fields : {};
      const known = Object.entries(fields).filter(([name]) => (name.split('.')[0] ?? '') in form.values);
      form.setErrors(Object.fromEntries(known));
      if (known.length === 0 || known.length < Object.keys(fields).length) setProblem(textOf(error));
    }
    setBusy(false);
  }

  return { busy, problem, submit };
}

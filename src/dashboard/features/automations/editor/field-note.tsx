import { useTranslations } from 'use-intl';
import classes from '../automations.module.css';
import type { FieldProblem } from './draft-problems.ts';

/** What is wrong with a field, under it; nothing before somebody has tried to save. */
export function FieldNote({ problem }: { problem: FieldProblem | undefined }) {
  const t = useTranslations('automations.problems');
  return problem === undefined ? null : (
    <p className={classes.problem} role="alert">
      {t(problem)}
    </p>
  );
}

import { caseTablesSql } from './cases/case-tables.ts';
import { surveyTablesSql } from './surveys/survey-rows.ts';

export const supportTablesSql = `${caseTablesSql}${surveyTablesSql}`;

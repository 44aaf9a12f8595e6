import { caseTablesSql } from './cases/case-rows.ts';
import { surveyTablesSql } from './surveys/survey-rows.ts';

export const supportTablesSql = `${caseTablesSql}${surveyTablesSql}`;

/* Receivers of callbacks in a process of their own. */
import { startReceivers } from '../stage/receivers.ts';
import { answerQuestions } from './asking.ts';
import type { ReceiverAnswer, ReceiverQuestion } from './receiver-questions.ts';

const receivers = await startReceivers();

answerQuestions((question: ReceiverQuestion): ReceiverAnswer => {
  const { url, arrivals } = receivers;
  if (question.kind === 'hang') receivers.hang(question.prefix);
  const answer = { url, count: arrivals.length, arrivals: question.kind === 'take' ? [...arrivals] : [] };
  if (question.kind === 'take') arrivals.length = 0;
  return answer;
});

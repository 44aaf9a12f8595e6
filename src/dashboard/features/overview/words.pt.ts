import type { Words } from '../../words/texts.ts';

export const overview: Words['overview'] = {
  title: 'Visão geral',
  firstSteps: 'Primeiros passos',
  stepsDone: '{done, number} de {all, number} feitos',
  steps: {
    add: 'Adicionar um número',
    pair: 'Vinculá-lo a um telefone',
    send: 'Enviar uma mensagem de teste',
    read: 'Ver quando ela é lida',
    key: 'Criar uma chave de API',
    webhook: 'Adicionar um webhook para receber eventos',
  },
  attention: 'Requer atenção',
  moreAlerts: '{count, plural, one {E mais #} other {E mais #}}',
  today: 'Hoje',
  monthSummary: '{sent, number} enviadas, {received, number} recebidas, {failed, number} falharam',
  quota: 'Mensagens este mês',
  ofLimit: 'de {limit, number}',
  noLimit: 'Ilimitadas',
  resets: 'Reinicia em {date}',
  all: '{count, plural, one {# número} other {Todos os # números}}',
};

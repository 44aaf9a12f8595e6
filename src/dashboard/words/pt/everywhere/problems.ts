import type { Words } from '../../texts.ts';

export const problems: Words['problems'] = {
  title: 'Não funcionou',
  requestId: 'Id da requisição',
  unreachable:
    'Não foi possível contatar o gateway. Nada foi alterado. Verifique sua conexão e tente de novo.',
  timeout: 'O gateway demorou demais para responder. Veja se a alteração foi feita antes de tentar de novo.',
  forbidden: 'Seu papel não permite isso. Peça a um proprietário ou administrador da conta.',
  notFound: 'Isto não existe mais. Alguém pode ter excluído.',
  conflict: 'Isto não combina com o estado atual, então nada foi alterado.',
  quota: 'As mensagens deste mês acabaram. Recomeçam em {date}.',
  rateLimited:
    'Requisições demais ao mesmo tempo. Espere {seconds, plural, one {# segundo} other {# segundos}} e tente de novo.',
  invalid: 'Alguns campos precisam de outro valor. O que você digitou continua aqui.',
  recipient: 'Não é possível escrever para este destinatário.',
  noSender: 'Nenhum número pode enviar agora. Conecte um e tente de novo.',
  signedOut: 'Sua sessão terminou. Entre de novo.',
  internal: 'Algo deu errado no gateway. Nada do que você digitou se perdeu; tente de novo.',
  said: 'O gateway diz: {message}',
};

import type { Words } from '../texts.ts';

export const common: Words['common'] = {
  cancel: 'Cancelar',
  close: 'Fechar',
  save: 'Salvar',
  saved: 'Salvo',
  delete: 'Excluir',
  back: 'Voltar',
  more: 'Mais',
  copy: 'Copiar',
  copied: 'Copiado',
  tryAgain: 'Tentar de novo',
  loading: 'Carregando',
  loadMore: 'Mostrar mais',
  none: 'Nenhum',
  never: 'Nunca',
  utc: '{time} UTC',
  noSuchPage: 'Esta página não existe',
  noSuchPageLead: 'O endereço pode estar errado, ou o que ele mostrava foi excluído.',
  toOverview: 'Ir para a visão geral',
  typeToConfirm: 'Digite {word} para confirmar',
};

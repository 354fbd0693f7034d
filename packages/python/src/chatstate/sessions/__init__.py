"""Sessions: the state of an agent and its providers, apart from what they do."""

from .bag import StateBag
from .provider import ProviderState, check_provider_keys
from .session import Session
from .store import (
    ChatMessageStore,
    Factory,
    InMemoryChatMessageStore,
    InMemoryChatMessageStoreState,
    StoreRegistry,
    StoreState,
    attach_store,
)

__all__ = [
    "ChatMessageStore",
    "Factory",
    "InMemoryChatMessageStore",
    "InMemoryChatMessageStoreState",
    "ProviderState",
    "Session",
    "StateBag",
    "StoreRegistry",
    "StoreState",
    "attach_store",
    "check_provider_keys",
]
